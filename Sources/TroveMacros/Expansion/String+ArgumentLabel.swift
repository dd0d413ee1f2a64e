extension String {
    /// The name in code as an argument label: most reserved words need no backticks there, and the compiler warns of needless ones.
    var asArgumentLabel: String {
        let plain = filter { $0 != "`" }
        return plain.isWord && plain != "inout" ? plain : self
    }
}
