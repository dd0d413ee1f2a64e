/// An attribute of a collection's documents.
public struct DocumentAttribute: Sendable, Hashable {
    /// A kind of value at a path.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// `true` and `false`.
        case bool
        /// Numbers of every width, and decimals.
        case number
        /// Dates.
        case date
        /// Texts.
        case text
        /// URLs.
        case url
        /// Bytes.
        case data
        /// UUIDs.
        case uuid
        /// Ids that Trove makes.
        case objectID
        /// Arrays, objects and dictionaries.
        case container
        /// Durations.
        case duration
        /// Points on the Earth's surface.
        case geoPoint
    }

    /// The path as text; `[]` stands for the elements of an array: `lines[].price`.
    public let path: String
    /// The number of different values at the path in each document, added up over all documents. For a path outside of arrays this is the number of documents
    /// with a value there.
    public let count: Int
    /// The number of these values of each kind.
    public let kinds: [Kind: Int]
}

extension DocumentAttribute: CustomStringConvertible {
    public var description: String {
        let kinds = kinds.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { "\($0.value) \($0.key.rawValue)" }
        return "\(path): \(kinds.joined(separator: ", "))"
    }
}

extension Documents {
    /// The attributes of all documents at any depth, ascending by path, with their counts and kinds. nil is no value.
    ///
    /// What the collection's ``DocumentIndexing`` leaves out is not among them.
    ///
    /// - Complexity: O(*n*) in the entries of the index; no document is read.
    public func attributes() throws -> [DocumentAttribute] {
        try source.read { try $0.attributes(of: name) }
    }
}

extension Documents where Source == ObjectStore {
    /// The attributes of all documents at any depth, with their counts and kinds.
    public func attributes() async throws -> [DocumentAttribute] {
        let name = name
        return try await source.read { try $0.attributes(of: name) }
    }
}

extension ReadTransaction {
    fileprivate func attributes(of collection: String) throws -> [DocumentAttribute] {
        let model = try openCollection(named: collection)
        guard let index = try usableIndexes(of: model.binding).first(where: \.schema.kind.isOfPaths) else {
            if try indexTable.bindings(of: collection).isEmpty { return [] }
            throw TroveError.invalidCollection(
                name: collection, reason: "its index is not ready, so its attributes are unknown; build the index: buildIndexes()")
        }
        let table = try pathTable(of: index)
        guard let entries = try indexKeyspace(index) else { return [] }
        var counts: [UInt32: [DocumentAttribute.Kind: Int]] = [:]
        var last: (path: UInt32, kind: UInt8, count: Int) = (PathTable.none, 0, 0)
        func endRun() {
            guard last.count > 0, let valueClass = ValueClass(rawValue: last.kind) else { return }
            counts[last.path, default: [:]][DocumentAttribute.Kind(valueClass), default: 0] += last.count
        }
        var watch = watch
        try reader.scanKeys(.all, in: entries, order: .ascending, expecting: .max) { key in
            try watch.step()
            // The path, a byte for presence, and the class of the value.
            guard key.byteCount > 5 else { throw index.corrupt("an entry is shorter than a path") }
            let path = key.unsafeLoadUnaligned(as: UInt32.self).bigEndian
            let kind = key.unsafeLoadUnaligned(fromByteOffset: 5, as: UInt8.self)
            if path != last.path || kind != last.kind {
                endRun()
                last = (path, kind, 0)
            }
            last.count += 1
            return .next
        }
        endRun()
        counts[PathTable.root] = nil
        return try counts.map { path, kinds in
            guard path < UInt32(table.count) else { throw index.corrupt("it has entries of an unknown path") }
            return DocumentAttribute(path: table.text(of: path), count: kinds.values.reduce(0, +), kinds: kinds)
        }.sorted { $0.path.precedesInBytes($1.path) }
    }
}

extension DocumentAttribute.Kind {
    fileprivate init(_ valueClass: ValueClass) {
        self =
            switch valueClass {
            case .bool: .bool
            case .number: .number
            case .date: .date
            case .text: .text
            case .url: .url
            case .data: .data
            case .uuid: .uuid
            case .objectID: .objectID
            case .container: .container
            case .duration: .duration
            case .geoPoint: .geoPoint
            }
    }
}
