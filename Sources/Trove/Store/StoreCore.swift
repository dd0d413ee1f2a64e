/// What an open store's transactions share.
final class StoreCore: Sendable {
    let backend: any StorageBackend
    let catalogue = Catalogue()
    private let models: [any Model.Type]
    private let bindings: [ObjectIdentifier: ModelBinding]
    /// The store's identity and format.
    let header: StoreHeader

    /// Opens the store in `backend`, or makes one when it is empty, and checks the models against it.
    init(_ backend: any StorageBackend, models: [any Model.Type]) throws {
        self.backend = backend
        self.models = models
        try Self.checkNames(models)
        // Most opens find nothing to write, and then leave the store as it is.
        if let opened = try backend.read({ try Self.open($0, path: backend.path, models: models) }) {
            (header, bindings) = opened
        } else {
            (header, bindings) = try backend.write { try Self.create($0, path: backend.path, models: models) }
        }
    }

    /// The binding of a model.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` when it was not named at opening.
    func binding(for type: any Model.Type) throws -> ModelBinding {
        guard let binding = bindings[ObjectIdentifier(type)] else {
            throw TroveError.unknownModel(String(describing: type))
        }
        return binding
    }

    /// The model whose records have this name, when the program has it.
    func model(named name: String) -> (any Model.Type)? { models.first { $0.schema.name == name } }

    private typealias Opened = (StoreHeader, [ObjectIdentifier: ModelBinding])

    private static func checkNames(_ models: [any Model.Type]) throws {
        var types: [String: any Model.Type] = [:]
        for model in models {
            if let other = types.updateValue(model, forKey: model.schema.name), other != model {
                throw TroveError.duplicateModel(
                    name: model.schema.name, first: String(reflecting: other), second: String(reflecting: model))
            }
        }
    }

    /// The store as it is, or nil when something has to be written first.
    private static func open(_ reader: any StorageReader, path: String, models: [any Model.Type]) throws -> Opened? {
        guard let header = try checkedHeader(reader, path: path) else { return nil }
        var registration = try SchemaRegistration(reader)
        var bindings: [ObjectIdentifier: ModelBinding] = [:]
        for model in models {
            bindings[ObjectIdentifier(model)] = try ModelBinding(model, layout: registration.register(model))
        }
        guard registration.changes.isEmpty else { return nil }
        return (header, bindings)
    }

    private static func create(_ writer: any StorageWriter, path: String, models: [any Model.Type]) throws -> Opened {
        let found = try checkedHeader(writer, path: path)
        let header = found ?? StoreHeader()
        if found == nil { try Catalogue.write(header, writer) }
        var registration = try SchemaRegistration(writer)
        var bindings: [ObjectIdentifier: ModelBinding] = [:]
        for model in models {
            bindings[ObjectIdentifier(model)] = try ModelBinding(model, layout: registration.register(model))
        }
        for entry in registration.changes { try Catalogue.write(entry, writer) }
        return (header, bindings)
    }

    /// The header; nil when the engine is empty.
    private static func checkedHeader(_ reader: any StorageReader, path: String) throws -> StoreHeader? {
        if let header = try Catalogue.header(reader) {
            if header.isCopying { throw TroveError.incompleteCopy(path: path) }
            return header
        }
        let names = try reader.keyspaceNames()
        guard names.isEmpty else {
            throw TroveError.notAStore(
                path: path, reason: "it has keyspaces (\(names.prefix(3).joined(separator: ", "))…) but no catalogue")
        }
        return nil
    }
}
