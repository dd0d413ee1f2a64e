import Foundation
import Trove

/// Files of a source.
enum SourceFile {
    /// All bytes of a file, mapped where the system can.
    static func bytes(of path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw ImportError.unreadable(path: path, reason: FileFailure.reason(of: error))
        }
    }

    /// The first bytes of a file.
    static func start(of path: String, count: Int) throws -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            return [UInt8](try file.read(upToCount: count) ?? Data())
        } catch {
            throw ImportError.unreadable(path: path, reason: FileFailure.reason(of: error))
        }
    }

    /// The files of a directory, not of those in it, in the order of their names.
    static func files(in directory: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory).filter { !$0.hasPrefix(".") }.sorted().map { directory + "/" + $0 }
        } catch {
            throw ImportError.unreadable(path: directory, reason: FileFailure.reason(of: error))
        }
    }

    /// The file, or those of the directory with this extension.
    static func files(at path: String, withExtension fileExtension: String) throws -> [String] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ImportError.unreadable(path: path, reason: "there is no such file")
        }
        return isDirectory.boolValue ? try files(in: path).filter { $0.hasSuffix(".\(fileExtension)") } : [path]
    }

    /// The value of a file of JSON.
    static func json(_ path: String) throws -> StoredValue {
        let contents = try bytes(of: path).droppingByteOrderMark
        do {
            return try contents.withUnsafeBytes { try StoredValue(plainJSON: $0) }
        } catch let error as TroveError {
            let line = contents.prefix { $0 != UInt8(ascii: "\n") }
            var reason = "\(error)"
            if line.count < contents.count, case .object? = try? Data(line).withUnsafeBytes({ try StoredValue(plainJSON: $0) }) {
                reason += "; a file of objects that stand one on a line is of the kind '\(ImportKind.jsonLines.rawValue)'"
            }
            throw ImportError.damaged(path: path, place: "the JSON in it", reason: reason)
        }
    }
}

extension String {
    /// The text of bytes; nil when they are no UTF-8.
    init?(sourceUTF8 bytes: UnsafeRawBufferPointer) {
        if bytes.isASCII {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are below 128.
    fileprivate var isASCII: Bool {
        var place = 0
        while place + 8 <= count {
            if loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            place += 8
        }
        while place < count {
            if self[place] & 0x80 != 0 { return false }
            place += 1
        }
        return true
    }
}

extension Data {
    /// The same bytes, of a file that is mapped, without a copy: its places begin with 3 behind a mark.
    var droppingByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}

/// Makes rows of values without a declared form, such as JSON's and a property list's.
struct ValueRows {
    let path: String
    let options: ImportSourceOptions

    /// Calls `body` with the rows of a whole file: of an array, of one object, or of an object whose values are arrays of objects.
    func forEach(in value: StoredValue, _ body: (SourceEvent) throws -> Void) throws {
        let name = options.collection(of: path)
        switch value {
        case .array(let elements): try forEach(elements.array, of: name, body)
        case .object(let fields) where !fields.isEmpty && fields.values.allSatisfy(Self.isListOfObjects):
            for (name, value) in fields.dictionary.sorted(by: { $0.key < $1.key }) {
                if case .array(let elements) = value { try forEach(elements.array, of: name, body) }
            }
        case .object: try forEach([value], of: name, body)
        default: throw ImportError.damaged(path: path, place: "its beginning", reason: "it holds neither an object nor a list of objects")
        }
    }

    /// The collections that ``forEach(in:_:)`` finds, also those without rows.
    func collectionNames(in value: StoredValue) -> Set<String> {
        if case .object(let fields) = value, !fields.isEmpty, fields.values.allSatisfy(Self.isListOfObjects) { return Set(fields.keys) }
        return [options.collection(of: path)]
    }

    private static func isListOfObjects(_ value: StoredValue) -> Bool {
        guard case .array(let elements) = value else { return false }
        return elements.allSatisfy { if case .object = $0 { true } else { false } }
    }

    private func forEach(_ values: [StoredValue], of collection: String, _ body: (SourceEvent) throws -> Void) throws {
        for (number, value) in values.enumerated() { try body(event(value, number: number + 1, of: collection, place: .object(number + 1))) }
    }

    /// The row of one object.
    func event(_ value: StoredValue, number: Int, of collection: String, place: SourcePlace) -> SourceEvent {
        func fault(_ reason: String) -> SourceEvent { .fault(ImportFault(collection: collection, place: place.description, reason: reason)) }
        guard case .object(let fields) = value else { return fault("it is no object with names") }
        let id: SourceReference
        // One with a value before one that is null.
        let known = ImportSourceOptions.idAttributes.filter { fields[$0] != nil }
        let key = options.idAttribute ?? known.first { fields[$0] != .null } ?? known.first
        if let name = key {
            guard let key = fields[name], key != .null else { return fault("it has no '\(name)', by which objects are told apart") }
            id = SourceReference(space: collection, key: SourceKey(key))
        } else {
            // Numbers of objects, and ids that are numbers, are two things.
            id = SourceReference(space: "the numbers of \(collection)", key: .int(Int64(number)))
        }
        var row = SourceRow(collection: collection, id: id, content: .values(fields), place: place)
        row.keyAttribute = key
        return .row(row)
    }
}
