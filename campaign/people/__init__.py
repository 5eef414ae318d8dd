"""Who takes part: invitations and roles, accounts, sessions, desks, and how often somebody may try."""
