"""What runs without people: the sweep, its heartbeat, health alerts, pictures drawn ahead."""
