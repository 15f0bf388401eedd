"""An event as files: what everybody may know, and all of it. Keys of this database are in neither:
players go by start number, users by e-mail, anything else by where it stands."""
