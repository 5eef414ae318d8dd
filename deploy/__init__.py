"""How the service is put together and run. Nobody imports this package."""
