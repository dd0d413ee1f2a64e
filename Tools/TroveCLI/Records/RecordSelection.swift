import Trove
import TroveStoreTools

/// Which values of a model's records are in an answer, in which order.
struct RecordSelection {
    /// One value: its column, and how it is read from a record.
    private enum Part {
        case id
        case field(String)
        /// A value inside a field's.
        case inside(String, path: String)
        /// A value inside the document.
        case document(String)
        /// A value that stands in a document by its name, whatever the name is.
        case attribute(String)
        /// The number of elements of a list at a path, of a field or inside one.
        case count(String, path: String)
        /// What is not in the record as it is, at this place among ``referencedPaths``.
        case referenced(Int)
    }

    let columns: [Column]
    /// The paths of the values that are in other records, and of aggregates of members.
    let referencedPaths: [FieldPath]
    private let parts: [Part]
    private let model: StoredModel

    /// The paths of a list with commas between, as they were written.
    static func names(in text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: true).map { $0.drop { $0 == " " } }.map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }

    /// The same as queries have them, but the id.
    static func paths(in text: String?, of model: StoredModel) -> [FieldPath] {
        names(in: text ?? "").filter { $0 != StoredModel.idName }.map(path)
    }

    private static func path(_ name: String) -> FieldPath { aggregated(name).map { FieldPath($0.path).aggregated($0.aggregate) } ?? FieldPath(name) }

    /// The aggregate of members that is written so, and their path: `tags` of `count(tags)`; nil when it is another one.
    private static func aggregated(_ text: String) -> (aggregate: MemberAggregate, path: String)? {
        guard let start = text.firstIndex(of: "("), text.hasSuffix(")"), let aggregate = MemberAggregate(called: String(text[..<start])) else { return nil }
        return (aggregate, String(text[start...].dropFirst().dropLast()).filter { $0 != " " })
    }

    /// The values at these paths.
    ///
    /// - Throws: ``CommandError/noSuchProperty(name:model:known:)``.
    init(_ paths: [String], of model: StoredModel, in transaction: ReadTransaction) throws {
        let fields = model.fields
        self.model = model
        let named = paths.map(Self.path)
        let others = model.isCollection ? [] : try transaction.pathsThroughReferences(named, of: model.name)
        referencedPaths = named.filter { others.contains($0) || $0.aggregate != nil && !$0.isCount }
        var columns: [Column] = []
        var parts: [Part] = []
        for path in paths {
            let steps = DocumentPath(path).steps
            let exact = fields.first { $0.name == path }
            if exact == nil, let place = referencedPaths.firstIndex(of: Self.path(path)) {
                columns.append(Column(path, isData: true))
                parts.append(.referenced(place))
            } else if path == StoredModel.idName || path == "id" && !model.isCollection && exact == nil {
                columns.append(Column(path, type: model.idType))
                parts.append(.id)
            } else if exact == nil, let counted = Self.aggregated(path)?.path {
                let names = DocumentPath(counted).steps
                columns.append(Column(path, type: nil))
                if model.isCollection {
                    parts.append(.count(DocumentRecord.root, path: counted))
                } else if case .name(let name)? = names.first, fields.contains(where: { $0.name == name }) {
                    parts.append(.count(name, path: "\(DocumentPath(Array(names.dropFirst())))"))
                } else {
                    throw CommandError.noSuchProperty(name: counted, model: model.name, known: [StoredModel.idName] + fields.map(\.name))
                }
            } else if let exact {
                columns.append(Column(path, type: "\(exact.type)", isData: !model.isCollection))
                parts.append(.field(path))
            } else if model.isCollection {
                columns.append(Column(path, isData: true))
                parts.append(.document(path))
            } else if case .name(let name)? = steps.first, fields.contains(where: { $0.name == name }) {
                columns.append(Column(path, isData: true))
                parts.append(.inside(name, path: "\(DocumentPath(Array(steps.dropFirst())))"))
            } else {
                throw CommandError.noSuchProperty(name: path, model: model.name, known: [StoredModel.idName] + fields.map(\.name))
            }
        }
        self.columns = columns
        self.parts = parts
    }

    /// All values: of a model its properties, of a collection the class and the attributes of these names.
    init(allOf model: StoredModel, attributes: [String] = []) {
        self.model = model
        referencedPaths = []
        let id = Column(StoredModel.idName, type: model.idType)
        guard model.isCollection else {
            let fields = model.fields
            columns = [id] + fields.map { Column($0.name, type: "\($0.type)", isData: true) }
            parts = [.id] + fields.map { .field($0.name) }
            return
        }
        columns = [id] + attributes.map { Column($0, isData: true) }
        parts = [.id] + attributes.map { .attribute($0) }
    }

    /// The values of a record; nil for those it does not have.
    ///
    /// - Parameter referenced: the values at ``referencedPaths``.
    func row(of record: StoredRecord, _ referenced: [StoredValue] = []) throws -> [StoredValue?] {
        try parts.map { part in
            switch part {
            case .id: try model.ids.value(of: record.key)
            case .field(let name): try value(of: name, in: record)
            case .inside(let name, let path): try value(of: name, in: record)?.value(at: path)
            case .document(let path): record[DocumentRecord.root]?.value(at: path)
            case .attribute(let name): DocumentRecord.attribute(name, of: record)
            case .referenced(let place): referenced[place] == .null ? nil : referenced[place]
            case .count(let field, let path):
                try Self.count(in: path.isEmpty ? value(of: field, in: record) : value(of: field, in: record)?.value(at: DocumentPath(path)))
            }
        }
    }

    /// How many elements a list has, or pairs a dictionary; nil for what has none.
    private static func count(in value: StoredValue?) -> StoredValue? {
        switch value {
        case .array(let elements)?: .int(Int64(elements.count))
        case .object(let values)?: .int(Int64(values.count))
        case .dictionary(let values)?: .int(Int64(values.count))
        default: nil
        }
    }

    /// The value of a property, also of one that is apart from the record; nil when the record lacks it.
    private func value(of name: String, in record: StoredRecord) throws -> StoredValue? {
        record.type(of: name) == nil ? nil : try record.value(of: name)
    }
}
