"""What can happen, by topic. What each fact changes is in `evolve`, who is told of it in the release table."""
