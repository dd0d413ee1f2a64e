/// The properties that `#Unique(…, identity: true)` makes the id of.
struct Identity {
    struct Part {
        /// The name in code, with its backticks.
        var codeName: String
        /// The name that is stored.
        var name: String
        var type: String

        var label: String { codeName.asArgumentLabel }
    }

    var parts: [Part]
}
