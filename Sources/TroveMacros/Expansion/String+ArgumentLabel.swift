extension String {
    /// The name in code as an argument label: most reserved words need no backticks there, and the compiler warns of needless ones.
    var asArgumentLabel: String {
        let plain = filter { $0 != "`" }
        let isWord = plain.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isWord && plain != "inout" ? plain : self
    }
}
