import Foundation
import TroveStorage

/// Finds what a wrapping backend keeps to itself: a requirement with a default implementation, which a wrapper may leave out without the
/// compiler saying anything, or one that it answers by way of others.
public enum ForwardingCheck {
    /// Calls every requirement of the storage protocols through a wrapper.
    ///
    /// - Returns: The requirements that the wrapped backend was not asked for, such as `StorageBackend.checkStructure()`. They are read from the
    ///   protocols' sources, so one that is new is named until the recording backend and this check know it.
    public static func missing(in wrap: (any StorageBackend) throws -> any StorageBackend) throws -> [String] {
        let log = CallLog()
        let wrapper = try wrap(RecordingBackend(log))
        _ = (wrapper.path, wrapper.sharedEngine, wrapper.tokenSealer, wrapper.writeRefusal)
        let (sharesSnapshots, isRemote) = (wrapper.capabilities.sharesSnapshots, wrapper.capabilities.isRemote)
        try wrapper.write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            let data = try writer.createKeyspace(named: "data")
            try writer.put([1], [1], in: data)
            _ = try writer.insert([2], [2], in: data)
            try writer.savepoint { () throws -> Void in try writer.delete([2], in: data) }
            try writer.remove([2], in: data)
            try readAll(writer, data)
            try writer.deleteRange(KeyRange(from: [2]), in: data)
            try writer.dropKeyspace(writer.createKeyspace(named: "other"))
        }
        try wrapper.read { (reader: any StorageReader) throws -> Void in
            if let data = try reader.keyspace(named: "data") { try readAll(reader, data) }
            try reader.withConcurrentReaders(upTo: 1) { _ in }
        }
        try wrapper.synchronize()
        try wrapper.backUp(to: FileManager.default.temporaryDirectory.appending(path: "trove-\(UUID().uuidString)").path)
        try wrapper.compact()
        try wrapper.checkStructure()
        _ = try wrapper.statistics()
        try wrapper.close()
        // Those around a reader may have one reader for a snapshot, if they say so; in a write nobody has to have more.
        let sharing = ["StorageReader", "StorageWriter"].map { $0 + ".withConcurrentReaders(upTo:_:)" }
        // Those that stand for an engine far away may have no stamps.
        let stamps = isRemote ? ["StorageReader", "StorageWriter"].map { $0 + ".stateStamp" } : []
        return try requirements().subtracting(log.names).subtracting(sharing.dropFirst(sharesSnapshots ? 1 : 0)).subtracting(stamps).sorted()
    }

    private static func readAll(_ reader: any StorageReader, _ data: Keyspace) throws {
        _ = reader.stateStamp
        _ = try reader.keyspace(named: "data")
        _ = try reader.keyspaceNames()
        _ = try reader.value(of: [1], in: data)
        try reader.getMany([[1]], in: data) { _, _ in }
        try reader.scan(in: data) { _, _ in .next }
        _ = try reader.cursor(in: data)
        try reader.scan(.all, in: data, order: .ascending, expecting: 1) { _, _ in .next }
        try reader.scanKeys(in: data) { _ in .next }
        _ = try reader.count(in: data)
        _ = try reader.count(of: .all, in: data)
        if reader.prefetches { try reader.prefetch([[1]], in: data) }
    }

    /// The requirements of the three protocols; a writer has those of a reader too.
    private static func requirements() throws -> Set<String> {
        let names = try ["StorageBackend", "StorageReader", "StorageWriter"].map { type in (type, try requirements(of: type)) }
        let reading = names[1].1.map { "StorageWriter." + $0 }
        return Set(names.flatMap { type, requirements in requirements.map { type + "." + $0 } } + reading)
    }

    private static func requirements(of type: String) throws -> [String] {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(contentsOf: root.appending(path: "Sources/TroveStorage/\(type).swift"), encoding: .utf8)
        let declaration = source.split(separator: "\n").drop { !$0.hasPrefix("public protocol \(type)") }.prefix { $0 != "}" }.joined(separator: "\n")
        var names = declaration.matches(of: /\n    var (\w+)/).map { String($0.1) }
        for match in declaration.matches(of: /\n    func (\w+)\(/) {
            names.append("\(match.1)(\(labels(declaration[match.range.upperBound...]).joined()))")
        }
        guard !names.isEmpty else { throw NoRequirements(type: type) }
        return names
    }

    /// The labels of a list of parameters that begins here, each with its colon, as `#function` writes them.
    private static func labels(_ text: Substring) -> [String] {
        var labels: [String] = []
        var depth = 0
        var isAtLabel = true
        for (position, character) in zip(text.indices, text) {
            switch character {
            case ")" where depth == 0: return labels
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "," where depth == 0: isAtLabel = true
            default:
                guard isAtLabel, !character.isWhitespace else { continue }
                labels.append(text[position...].prefix { $0 != " " && $0 != ":" } + ":")
                isAtLabel = false
            }
        }
        return labels
    }

    private struct NoRequirements: Error {
        let type: String
    }
}
