"""Reading a scenario's files, and the map that is drawn of them."""
