import Foundation

/// Places where a run writes, looked at before it begins.
enum OutputFile {
    /// Throws when a file cannot be written there.
    static func check(_ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try checkDirectory(parent)
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw BenchmarkError("\(path) is a directory; name a file in it")
        }
    }

    /// Throws when there is no directory that can be written.
    static func checkDirectory(_ path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw BenchmarkError("there is no directory \(path); make it first")
        }
        guard isDirectory.boolValue else { throw BenchmarkError("\(path) is no directory") }
        guard FileManager.default.isWritableFile(atPath: path) else { throw BenchmarkError("the directory \(path) cannot be written") }
    }
}
