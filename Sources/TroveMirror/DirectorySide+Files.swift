import Foundation
import Trove
import TroveBackendKit

extension DirectorySide {
    /// A file that says something else than at the last synchronization.
    struct Reading {
        let path: String
        let names: [ObjectName]
        /// All of it as compact JSON.
        let text: String
        let objects: [WrittenObject]
    }

    /// What a file says that was written since the last synchronization; nil when that is what it said then.
    func reading(_ path: String) throws -> Reading? {
        if case .refused(let reason)? = found[path] { throw Fault(reason: reason) }
        let objects = try objects(in: directory.path + "/" + path, path)
        let text = try WrittenObject.text(objects, .compact)
        if let known = ledger.files[path], known.objects.hasBytes(of: text) {
            // Written in another form, or so lately that only reading tells.
            hasNewStamps = true
            return nil
        }
        return Reading(path: path, names: try objects.compactMap { try $0.name() }, text: text, objects: objects)
    }

    struct Fault: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    static func reason(_ error: any Error) -> String {
        if case TroveError.invalidJSON(let line, let column, _, let reason) = error { return "line \(line), column \(column): \(reason)" }
        return FileFailure.reason(of: error)
    }

    /// The largest file that is read, and so the largest that is written. Tests set a smaller one.
    @TaskLocal static var maxSize = 256 << 20

    private func objects(in file: String, _ path: String) throws -> [WrittenObject] {
        guard let size = stamp(of: path)?.size, size <= Self.maxSize else { throw Fault(reason: "it has more than \(Self.maxSize) bytes") }
        let data = try Data(contentsOf: URL(filePath: file))
        guard let text = String(validating: data, as: UTF8.self) else { throw Fault(reason: "it is not UTF-8") }
        let folder = path.prefix { $0 != "/" }
        return try WrittenObject.all(json: text).map { object in
            var object = object
            if object.model.isEmpty {
                guard let model = String(folder).removingPercentEncoding, FileName.of(model, isFolder: true) == folder else {
                    throw Fault(reason: "it does not say of which model the object is, as \"$model\"")
                }
                object.model = model
            }
            if let id = object.id { object.id = models.asStored(id, of: object.model) }
            return models.isCollection(object.model) ? object : object.withoutNils
        }
    }

    static func named(_ file: Ledger.File?) -> [(ObjectName, WrittenObject)] {
        guard let file, let objects = try? WrittenObject.all(json: file.objects) else { return [] }
        return objects.compactMap { object in (try? object.name()).flatMap { $0 }.map { ($0, object) } }
    }

    /// The id of an object of a file that tells none, made of what the file is, so that a run that was broken off after it
    /// stored the object does not store it twice.
    func newID(_ path: String, _ position: Int) -> ObjectID {
        guard let stamp = stamp(of: path) else { return ObjectID() }
        let text = "\(stamp.device) \(stamp.inode) \(stamp.size) \(stamp.seconds) \(stamp.nanoseconds) \(position) \(path)"
        // As any other id: 48 bits of milliseconds, the version 7, the variant, and what is by chance there.
        let milliseconds = UInt64(max(0, stamp.seconds)) &* 1000 &+ UInt64(stamp.nanoseconds / 1_000_000)
        let halves = [milliseconds << 16 | 0x7000 | FileName.hash(text) & 0xFFF, 1 << 63 | FileName.hash("id " + text) >> 2]
        return halves.map(\.bigEndian).withUnsafeBytes { ObjectID(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
    }
}
