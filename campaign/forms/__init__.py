"""What people may enter: accounts, pictures of maps, members, scenarios, campaigns."""
