"""What was done in a campaign and what was rolled, so that nobody can change it unseen."""
