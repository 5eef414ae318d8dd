"""Members: invitations and roles, accounts, sessions, desks, and limits on tries."""
