/// What is ignored, in JSON and in the catalogue.
extension TextFolding {
    /// The names of the options in JSON, each of which is true there.
    static let jsonNames: [(name: String, option: TextFolding)] = [("ignoringCase", .case), ("ignoringDiacritics", .diacritics)]

    /// Adds the options to a JSON object: `"ignoringCase": true`.
    func addJSON(to parts: inout [String: StoredValue]) {
        for (name, option) in Self.jsonNames where contains(option) { parts[name] = .bool(true) }
    }

    private static let storedNames: [(name: String, option: TextFolding)] = [("case", .case), ("diacritics", .diacritics)]

    /// As the catalogue keeps it: whether case is ignored, or the names of all options where another one is among them.
    ///
    /// A program that does not know these fails to read the entry: it would take an index for one that ignores case alone.
    var stored: StoredValue {
        if isSubset(of: .case) { return .bool(self == .case) }
        return .array(Self.storedNames.filter { contains($0.option) }.map { .string($0.name) })
    }

    /// nil when it is not what ``stored`` wrote.
    ///
    /// - Throws: ``TroveError/newerFeatures(_:)`` for what this version does not know, and so could not ignore.
    init?(stored: StoredValue?) throws {
        switch stored {
        case .bool(let ignoresCase): self = ignoresCase ? .case : []
        case .array(let names):
            self = []
            for name in names {
                guard case .string(let name) = name else { return nil }
                guard let known = Self.storedNames.first(where: { $0.name == name }) else { throw TroveError.newerFeatures([name]) }
                insert(known.option)
            }
        default: return nil
        }
    }
}
