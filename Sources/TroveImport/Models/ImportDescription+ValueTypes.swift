extension ImportDescription.Attribute {
    /// The type of Swift that has all of its values; nil where none but a dynamic one has.
    ///
    /// What has no values goes by what the source declares.
    var scalarType: String? {
        let kinds = Set(kinds.keys).subtracting(["nil"])
        if kinds.isEmpty { return declaration.flatMap { Self.scalarType(declared: $0.type) } }
        let declared = declaration?.type.uppercased() ?? ""
        return Self.scalarType(of: kinds, isDecimal: declared.contains("DECIMAL") || declared.contains("NUMERIC"))
    }

    /// The type of the elements of its arrays; nil where it has other values too, or none but a dynamic one has the elements.
    var elementType: String? {
        guard Set(kinds.keys).subtracting(["nil"]) == ["array"], !elementKinds.isEmpty else { return nil }
        return Self.scalarType(of: Set(elementKinds.keys), isDecimal: false)
    }

    /// Whether some objects, of so many, have no value.
    func isOptional(among count: Int) -> Bool {
        kinds["nil"] != nil || kinds.values.reduce(0, +) < count || declaration?.isOptional ?? (count == 0)
    }

    /// - Parameter isDecimal: whether numbers are decimals, which SQLite stores as doubles.
    private static func scalarType(of kinds: Set<String>, isDecimal: Bool) -> String? {
        let numbers: Set = ["integer", "Double", "Decimal"]
        if kinds.isSubset(of: numbers), kinds.count > 1 || isDecimal { return isDecimal || kinds.contains("Decimal") ? "Decimal" : "Double" }
        guard kinds.count == 1, let kind = kinds.first else { return nil }
        return switch kind {
        case "Bool", "Double", "Decimal", "URL", "UUID", "ObjectID", "GeoPoint": kind
        case "integer": "Int"
        case "text": "String"
        case "data": "Data"
        case "date": "Date"
        case "duration": "Duration"
        default: nil
        }
    }

    /// By the words that Core Data and SQL have for types.
    private static func scalarType(declared type: String) -> String? {
        let type = type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if has("BOOL") { return "Bool" }
        if has("DATE", "TIMESTAMP") { return "Date" }
        if type == "UUID" { return "UUID" }
        if type == "URI" { return "URL" }
        if has("BLOB", "BINARY") { return "Data" }
        if has("INT") { return "Int" }
        if has("CHAR", "CLOB", "TEXT", "STRING") { return "String" }
        if has("DECIMAL", "NUMERIC") { return "Decimal" }
        return has("REAL", "FLOA", "DOUB") ? "Double" : nil
    }
}
