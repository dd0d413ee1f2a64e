/// A killed process has left no other file than the store.
struct NothingBesideTheStore: Error {}
