import Foundation

/// The inputs that fuzzing has left in `Tests/FuzzTests/Corpus`, a folder for each target.
enum FuzzCorpus {
    /// The folder, found beside this file; the sources may be links.
    static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Corpus")

    /// The inputs of a target, by name.
    static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = folder.appendingPathComponent(target.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
        }
    }
}
