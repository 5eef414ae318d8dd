"""Stories of battles: what their players write after them, with pictures, and who may read it."""
