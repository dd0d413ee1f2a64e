/// All indexes of a store as one snapshot of its catalogue has them, with what the program needs to read and keep them.
final class IndexTable: Sendable {
    /// The directory's entry; equal exactly when the tables are.
    let directory: [UInt8]?
    let entries: [IndexCatalogueEntry]
    /// By the model's name: the indexes this program can keep in step, but those being dropped.
    private let bindings: [String: [IndexBinding]]
    /// By the model's name: the numbers of the indexes that it cannot, since it lacks the model, a derived value's function or the fields.
    private let unmaintained: [String: [Int]]
    private let states: [Int: IndexState]
    /// The names of the models that have indexes, those being dropped included.
    private let modelNames: Set<String>

    /// The table of a store without indexes.
    init() {
        directory = nil
        entries = []
        bindings = [:]
        unmaintained = [:]
        states = [:]
        modelNames = []
    }

    /// The table of what the catalogue has; `previous` gives what is the same in it.
    init(
        _ directory: [UInt8], _ entries: [IndexCatalogueEntry], previous: IndexTable, models: [String: (ModelBinding, [IndexDeclaration])]
    ) {
        self.directory = directory
        self.entries = entries
        let known = Dictionary(
            previous.bindings.values.joined().map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var bindings: [String: [IndexBinding]] = [:]
        var unmaintained: [String: [Int]] = [:]
        for entry in entries where entry.state != .dropping {
            let model = models[entry.modelName]
            // A number that was rolled back may be another index's now.
            let same = known[entry.number].flatMap { known in
                known.modelName == entry.modelName && known.schema == entry.schema && known.fields.types == entry.types
                    && model?.0.schema.version == entry.version ? known : nil
            }
            if let binding = same ?? Self.binding(entry, model) {
                bindings[entry.modelName, default: []].append(binding)
            } else {
                unmaintained[entry.modelName, default: []].append(entry.number)
            }
        }
        self.bindings = bindings
        self.unmaintained = unmaintained
        modelNames = Set(entries.map(\.modelName))
        states = Dictionary(entries.map { ($0.number, $0.state) }, uniquingKeysWith: { first, _ in first })
    }

    /// What keeps an index, when the program can: with the model in the version that the index was made for, and its derived value's function.
    private static func binding(
        _ entry: IndexCatalogueEntry, _ model: (binding: ModelBinding, declarations: [IndexDeclaration])?
    ) -> IndexBinding? {
        guard let model, model.binding.schema.version == entry.version else { return nil }
        // A derived value's function is known by its version, which is the declaration's.
        let isDeclared = model.declarations.contains { entry.fits($0, version: entry.version) }
        guard isDeclared || entry.schema.derivedVersion == nil else { return nil }
        do {
            return try IndexBinding(entry, in: model.binding)
        } catch {
            // Another program's index of what this one's model does not have. Its changes will have it built anew.
            return nil
        }
    }

    func bindings(of modelName: String) -> [IndexBinding] { bindings[modelName] ?? [] }

    func unmaintained(of modelName: String) -> [Int] { unmaintained[modelName] ?? [] }

    func state(of number: Int) -> IndexState? { states[number] }

    /// Whether the store has indexes of a model, in any state.
    func hasEntries(of modelName: String) -> Bool { modelNames.contains(modelName) }

    /// Whether a model has indexes that its changes have to heed.
    func concerns(_ modelName: String) -> Bool { !entries.isEmpty && (bindings[modelName] != nil || unmaintained[modelName] != nil) }
}
