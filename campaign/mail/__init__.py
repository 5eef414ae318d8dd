"""The way out: mails are written, kept with what makes them true, and delivered."""
