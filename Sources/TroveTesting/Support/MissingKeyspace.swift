/// The keyspace that a case wrote is not there.
struct MissingKeyspace: Error, CustomStringConvertible {
    var description: String { "the keyspace 'data' that the case has written is not there" }
}
