"""The area game: its scenario, its odds and its rule examples."""
