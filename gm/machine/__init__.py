"""What runs without anybody: the sweep, its heartbeat, health alerts, pictures drawn ahead."""
