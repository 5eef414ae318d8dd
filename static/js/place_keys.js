// Ids are in addresses as the server writes them there, which leaves fewer characters as they are.
export const keyOf = (id) =>
  encodeURIComponent(id).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
