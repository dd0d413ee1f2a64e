import TroveBackendKit
import TroveStorage
import TroveTesting

/// The writing side of a ``MutantBackend``.
final class MutantWriter: MutantReader, ForwardingWriter {
    private let writer: any StorageWriter
    private var dropped: Set<String> = []
    private var created = 0

    var wrappedWriter: any StorageWriter { writer }

    init(_ base: any StorageWriter, of backend: MutantBackend) {
        writer = base
        super.init(base, of: backend)
    }

    override func keyspace(named name: String) throws -> Keyspace? {
        dropped.contains(name) ? nil : try super.keyspace(named: name)
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        dropped.remove(name)
        created += 1
        if mutant == .claimsMoreKeyspaces, created > 5_000 { throw StorageError.tooManyKeyspaces(.init(engine: "mutant", path: backend.path, message: "5,000")) }
        let keyspace = try writer.createKeyspace(named: name)
        names[keyspace] = name
        try mirror(keyspace) { _, _ in }
        return keyspace
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        backend.hasDropped.withLock { $0 = true }
        guard mutant == .keepsDroppedEntries, let name = names[keyspace] else { return try writer.dropKeyspace(keyspace) }
        dropped.insert(name)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        switch mutant {
        case .acceptsEmptyKeys where key.byteCount == 0: return
        case .cutsLongKeys:
            let short = cut([UInt8](copying: key))
            try writer.put(short.span.bytes, value, in: keyspace)
        case .cutsLargeValues where value.byteCount > 4_096:
            let short = Array([UInt8](copying: value).prefix(4_096))
            try writer.put(key, short.span.bytes, in: keyspace)
        case .acceptsTooLargeValues where value.byteCount > StorageLimits.maxValueSize: return
        default: try writer.put(key, value, in: keyspace)
        }
        // A value that was refused above is not copied: it may be larger than memory.
        if mutant != .showsUncommittedChanges { return }
        let (key, value) = ([UInt8](copying: key), [UInt8](copying: value))
        try mirror(keyspace) { try $0.put(key, value, in: $1) }
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        if mutant == .insertsOverExisting {
            try writer.put(key, value, in: keyspace)
            return true
        }
        return try writer.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let isDeleted = try writer.delete(key, in: keyspace)
        return mutant == .alwaysDeletes ? true : isDeleted
    }

    func remove(_ key: RawSpan, in keyspace: Keyspace) throws {
        if mutant == .removesOnlyAnnouncedKeys, key.byteCount > 0, announced[keyspace]?[[UInt8](copying: key)] == nil { return }
        try writer.remove(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        if mutant == .refusesLongBoundsInDeletions { try refuseLongBounds(of: range) }
        let count = try writer.deleteRange(range, in: keyspace)
        return mutant == .miscountsDeletedRanges && count > 1 ? count - 1 : count
    }

    func savepoint(_ body: () throws -> Void) throws {
        switch mutant {
        case .keepsUndoneSavepoints: try body()
        case .replacesErrors:
            do { try writer.savepoint(body) } catch {
                throw StorageError.engineFailure(.init(engine: "mutant", path: backend.path, message: "\(error)"))
            }
        default: try writer.savepoint(body)
        }
    }

    /// Lets the readers of ``Mutant/showsUncommittedChanges`` see a change at once.
    private func mirror(_ keyspace: Keyspace, _ change: (any StorageWriter, Keyspace) throws -> Void) throws {
        guard mutant == .showsUncommittedChanges, let name = names[keyspace] else { return }
        try backend.mirror.write(.relaxed) { (mirror: any StorageWriter) throws -> Void in try change(mirror, mirror.createKeyspace(named: name)) }
    }
}
