/// Names of Swift made of names that a source has.
enum SwiftName {
    /// The name of a type: `album_song` becomes `AlbumSong`. One that code needs for something else gets `Item` behind it.
    static func type(_ name: String) -> String {
        let joined = words(of: name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let letters = joined.drop { !isHead($0) }
        let type = letters.isEmpty ? "Item" : String(letters)
        return takenTypes.contains(type) ? type + "Item" : type
    }

    /// The name of a property, without backticks: `album_id` becomes `albumID`, `TITLE` becomes `title`.
    static func property(_ name: String) -> String {
        let words = words(of: name)
        guard let first = words.first else { return "attribute" }
        var property = lowercasedHead(first)
        for word in words.dropFirst() { property += word.lowercased() == "id" ? "ID" : word.prefix(1).uppercased() + word.dropFirst() }
        if let head = property.first, !isHead(head) { property = "value" + property }
        return possible(property)
    }

    /// The name of a property that refers to one object: `album_id` becomes `album`.
    static func reference(_ name: String) -> String {
        var property = property(name)
        for ending in ["ID", "Id"] where property.hasSuffix(ending) && property.count > ending.count { property.removeLast(ending.count) }
        return possible(property)
    }

    private static func possible(_ property: String) -> String { impossibleProperties.contains(property) ? property + "Value" : property }

    /// The name as it stands in code: a reserved word in backticks.
    static func written(_ name: String) -> String { reservedWords.contains(name) ? "`\(name)`" : name }

    /// A name that none of these is: this one, or one with a number behind it.
    static func free(_ name: String, among taken: Set<String>) -> String {
        var (candidate, number) = (name, 1)
        while taken.contains(candidate) {
            number += 1
            candidate = "\(name)\(number)"
        }
        return candidate
    }

    /// The text as a literal in code, on one line.
    static func literal(_ text: String) -> String {
        var literal = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": literal += "\\\\"
            case "\"": literal += "\\\""
            // Line breaks and what shows as another order than the code has.
            case _ where scalar.properties.generalCategory.isHidden: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return "\"\(literal)\""
    }

    /// The parts between what is no letter and no digit; in lower case where the whole is in capitals.
    private static func words(of name: String) -> [String] {
        let words = name.split { !isPart($0) }.map(String.init)
        let isShouted = words.contains { $0.count > 1 } && words.allSatisfy { $0 == $0.uppercased() }
        return isShouted ? words.map { $0.lowercased() } : words
    }

    /// `URLOfImage` becomes `urlOfImage`, and `ID` `id`.
    private static func lowercasedHead(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count <= 1 || capitals.count == word.count { return capitals.lowercased() + word.dropFirst(capitals.count) }
        // The last capital begins the next word.
        return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }

    /// Letters and digits of one scalar, as identifiers may have.
    private static func isPart(_ character: Character) -> Bool { isHead(character) || (character.isNumber && character.isASCII) }
    private static func isHead(_ character: Character) -> Bool { character.isLetter && character.unicodeScalars.count == 1 }

    /// What the code of models names, modules that it imports, and types that the macros know by their names.
    private static let takenTypes: Set = [
        "AbstractModel", "Any", "AnyReference", "Array", "Attribute", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration",
        "Error", "Float", "Foundation", "FullText", "GeoPoint", "ID", "ImportOptions", "Index", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "Lazy",
        "Model", "Never", "ObjectID", "ObjectList", "Optional", "Protocol", "Reference", "Relationship", "Result", "Self", "Sendable", "Set", "StoredValue",
        "String", "Substring", "Swift", "Task", "Transient", "Trove", "TroveImport", "Type", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
        "Unique", "URL", "UUID", "Void",
    ]

    /// What no property of a model may be called, or what means something else behind a dot.
    private static let impossibleProperties: Set = ["Protocol", "Self", "Type", "hashValue", "init", "self"]

    private static let reservedWords: Set = [
        "actor", "any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

extension Unicode.GeneralCategory {
    fileprivate var isHidden: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: true
        default: false
        }
    }
}
