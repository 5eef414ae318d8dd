"""What there is: map and charts, state, facts, orders, the calendar, and what rules read of them."""
