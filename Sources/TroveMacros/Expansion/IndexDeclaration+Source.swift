extension IndexDeclaration {
    /// The same for another model than the one that key paths may begin with as written.
    func source(of model: String, written: String) -> String {
        source(of: model).replacing("\\\(written).", with: "\\\(model).").replacing("\\Self.", with: "\\\(model).")
    }

    /// The expression that makes the index of `model`, as it would be written by hand.
    func source(of model: String) -> String {
        func initializer(_ arguments: [String], function: String = "") -> String {
            "Trove.Index<\(model)>\(function)(\(arguments.joined(separator: ", ")))"
        }
        let call: String
        switch kind {
        case .ordered where hasKeys: call = initializer([list] + arguments)
        case .ordered: call = initializer(parts.map(\.source) + arguments)
        case .unique where hasKeys: call = initializer([list, "unique: true"] + arguments)
        case .unique: call = initializer(["unique: \(list)"] + arguments)
        case .fullText: call = initializer([list] + arguments, function: ".fullText")
        case .substring: call = initializer(parts.map(\.source) + arguments, function: ".substring")
        case .derived: call = initializer(["derived: \(parts[0].source)"] + arguments)
        }
        return call + (trailingClosure.map { " \($0)" } ?? "")
    }

    private var hasKeys: Bool { parts.contains(where: \.isKey) }

    private var list: String { "[\(parts.map(\.source).joined(separator: ", "))]" }
}
