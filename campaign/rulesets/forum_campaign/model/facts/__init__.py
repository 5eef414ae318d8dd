"""What can happen, by topic. What each fact changes is in `evolve`, who learns of it is in the release table."""
