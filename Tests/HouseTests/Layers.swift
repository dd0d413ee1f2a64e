/// The layers of the library: the folders of `Sources/Trove`, the lowest first. What lies in one may use what lies in it and below.
///
/// A new folder takes its place here and in the drawing of `docs/architecture.md`.
enum Layers {
    static let order: [[String]] = [
        ["Text"],
        ["Errors", "Records"],
        ["JSON"],
        ["Schema"],
        ["Catalogue"],
        ["FullText"],
        ["Query"],
        ["Indexes"],
        ["References"],
        ["Kernel"],
        ["Planning"],
        ["Execution"],
        ["Aggregates"],
        ["Relationships"],
        ["Store"],
        ["Fetch"],
        ["Objects"],
        ["Bags"],
        ["Documents"],
    ]

    /// The place of a file's layer, by its path below `Sources/Trove`; nil for a file in no layer.
    static func level(of file: String) -> Int? {
        guard let folder = file.split(separator: "/").first, file.contains("/") else { return nil }
        return order.firstIndex { $0.contains(String(folder)) }
    }

    /// The uses of what lies in a higher layer, each as a line that names both places.
    static func upwardUses(_ definitions: [Symbol: SourcePlace], _ uses: [SymbolUse]) -> [String] {
        var found: Set<String> = []
        for use in uses {
            guard let definition = definitions[use.symbol], let own = level(of: use.place.file), let other = level(of: definition.file),
                other > own
            else { continue }
            found.insert("\(use.place.file):\(use.place.line) uses '\(use.name)' of \(definition.file)")
        }
        return found.sorted()
    }
}

/// A symbol's name in the compiler's index.
typealias Symbol = String

/// A line of a file, by its path below `Sources/Trove`.
struct SourcePlace: Hashable {
    let file: String
    let line: Int
}

/// A place at which a symbol is used.
struct SymbolUse: Hashable {
    let symbol: Symbol
    let name: String
    let place: SourcePlace
}
