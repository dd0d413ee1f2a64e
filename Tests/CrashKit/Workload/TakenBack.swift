/// Thrown to take a transaction or a savepoint back.
struct TakenBack: Error {}
