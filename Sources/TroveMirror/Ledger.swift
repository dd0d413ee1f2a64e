import Foundation
import Trove
import TroveBackendKit

/// What files and store had in common after the last synchronization, written down in the mirror's directory, with a line for each file.
struct Ledger {
    /// A file as it was then.
    struct File {
        let names: [ObjectName]
        /// Its objects as compact JSON.
        let objects: String
        /// Certain: see ``FileStamp/certain``.
        let stamp: FileStamp
    }

    /// A blob's file, and the hash of its bytes.
    struct Blob: Equatable {
        let name: String
        let stamp: FileStamp
        let hash: String
    }

    /// The identity of the store.
    let store: UUID
    /// Whether nothing is written down yet.
    private(set) var isNew = true
    /// The files by their paths in the directory.
    var files: [String: File] = [:]
    /// The number of objects in all files.
    var objectCount: Int { files.values.reduce(0) { $0 + $1.names.count } }
    /// The blobs by the names that their files have (``FileName``), which tell apart what is equal as text.
    var blobs: [String: Blob] = [:]

    private init(store: UUID) { self.store = store }

    /// The mirror's own folder.
    static func folder(in directory: URL) -> URL { directory.appending(path: ".trove-mirror") }

    private static func file(in directory: URL) -> URL { folder(in: directory).appending(path: "ledger.jsonl") }

    /// Whether the directory has one. Without it, it may be another one that is mounted there, or none.
    static func isThere(in directory: URL) -> Bool { FileManager.default.fileExists(atPath: file(in: directory).path) }

    private static let format = 1

    /// The ledger of a directory; a new one where there is none.
    ///
    /// - Throws: ``MirrorError/unreadableLedger(_:reason:)``, ``MirrorError/otherStore(_:)``.
    static func read(in directory: URL, of store: UUID) throws -> Ledger {
        let file = file(in: directory)
        var ledger = Ledger(store: store)
        guard FileManager.default.fileExists(atPath: file.path) else { return ledger }
        do {
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n").map(String.init)
            let end = try lines.last.map { try StoredValue(json: $0) }
            guard let head = try lines.first.map({ try StoredValue(json: $0) }), head.value(at: "format") == .int(Int64(format)),
                case .uuid(let known)? = head.value(at: "store"),
                end?.value(at: "lines") == .int(Int64(lines.count - 2))
            else { throw Fault(reason: "it does not begin and end as a ledger does") }
            guard known == store else { throw MirrorError.otherStore(directory) }
            for line in lines.dropFirst().dropLast() { try ledger.take(StoredValue(json: line)) }
        } catch let error as MirrorError {
            throw error
        } catch {
            throw MirrorError.unreadableLedger(file, reason: FileFailure.reason(of: error))
        }
        ledger.isNew = false
        return ledger
    }

    private struct Fault: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    private mutating func take(_ line: StoredValue) throws {
        func text(_ name: String) -> String? { if case .string(let text)? = line.value(at: name) { text } else { nil } }
        guard case .array(let numbers)? = line.value(at: "stamp"), let stamp = FileStamp(numbers.array) else { throw Fault(reason: "a line has no stamp") }
        if let name = text("blob"), let hash = text("hash") {
            blobs[FileName.of(name)] = Blob(name: name, stamp: stamp, hash: hash)
        } else if let path = text("file"), let objects = text("objects"), case .array(let names)? = line.value(at: "names") {
            guard Self.isInDirectory(path) else { throw Fault(reason: "'\(path)' is no file of the directory") }
            files[path] = File(names: try names.array.map { name in
                    guard case .array(let parts) = name, parts.count == 2, case .string(let model) = parts[0], case .string(let id) = parts[1] else {
                        throw Fault(reason: "a name is none")
                    }
                return ObjectName(model: model, id: id)
            }, objects: objects, stamp: stamp)
        } else {
            throw Fault(reason: "a line is of nothing that is known")
        }
    }

    /// Whether a path is that of a file in the folder of a model. A ledger that came with the directory, from whoever made it, leads nowhere else.
    private static func isInDirectory(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { $0.first != nil && $0.first != UInt8(ascii: ".") && !$0.contains(0) }
    }

    /// - Parameter mode: the permissions of the file when it is new.
    mutating func write(in directory: URL, mode: mode_t?) throws {
        var data = Data()
        func add(_ line: StoredValue) throws {
            data.append(contentsOf: try line.json().utf8)
            data.append(UInt8(ascii: "\n"))
        }
        try add(.object(["format": .int(Int64(Self.format)), "store": .uuid(store)]))
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            let names = StoredValue.array(file.names.map { .array([.string($0.model), .string($0.id)]) })
            try add(.object(["file": .string(path), "names": names, "objects": .string(file.objects), "stamp": file.stamp.value]))
        }
        for (_, blob) in blobs.sorted(by: { $0.key < $1.key }) {
            try add(.object(["blob": .string(blob.name), "hash": .string(blob.hash), "stamp": blob.stamp.value]))
        }
        try add(.object(["lines": .int(Int64(files.count + blobs.count))]))
        let file = Self.file(in: directory)
        if case .failed(let reason)? = try DirectoryFiles.write([(file, data)], mode: mode).first { throw MirrorError.fileSystem(file, reason: reason) }
        isNew = false
    }
}

extension FileStamp {
    /// The stamp, or one that no file has, when a change from now on would not be told by it: the file then is read again.
    /// It is asked for before the file is read.
    var certain: FileStamp { isSettled ? self : FileStamp(device: device, inode: inode, size: -1, seconds: 0, nanoseconds: 0) }

    fileprivate var value: StoredValue {
        .array([.int(Int64(bitPattern: device)), .int(Int64(bitPattern: inode)), .int(size), .int(seconds), .int(nanoseconds)])
    }

    fileprivate init?(_ numbers: [StoredValue]) {
        let values = numbers.compactMap { if case .int(let number) = $0 { number } else { nil } }
        guard values.count == 5 else { return nil }
        self.init(device: UInt64(bitPattern: values[0]), inode: UInt64(bitPattern: values[1]), size: values[2], seconds: values[3], nanoseconds: values[4])
    }
}
