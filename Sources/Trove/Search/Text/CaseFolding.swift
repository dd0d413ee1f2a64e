/// The full case folding of Unicode, by which text compares when its case is ignored.
enum CaseFolding {
    /// The folding of a text; texts that differ in case alone have the same one.
    static func fold(_ string: String) -> String {
        // The lower case of the upper case is the full folding of all but a few letters.
        String(String.UnicodeScalarView(string.unicodeScalars.flatMap { scalar in
            scalar.properties.uppercaseMapping.unicodeScalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
        }))
    }
}
