import Foundation
import SyncRecorder

/// Where a series has its files, and the memory its processes share.
///
/// `@unchecked Sendable`: the recorder's state is changed by one process at a time, and inside it under the recorder's lock.
final class SeriesFiles: @unchecked Sendable {
    /// The directory of the store, which power losses change.
    let directory: String
    let images: String
    private let root: String
    let oracle: Oracle
    let recorder: UnsafeMutablePointer<RecorderState>

    /// Makes everything in a new directory inside `parent`.
    init(in parent: String) throws {
        root = parent + "/trove-crash-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString.prefix(8))"
        directory = root + "/store"
        images = root + "/images"
        for path in [root, directory, images] { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        oracle = try Oracle(path: root + "/oracle")
        let size = MemoryLayout<RecorderState>.size
        guard let state = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), state != MAP_FAILED else {
            throw ContentsError("there is no memory to be shared")
        }
        recorder = state.bindMemory(to: RecorderState.self, capacity: 1)
    }

    var store: String { directory + "/data" }
    var backup: String { directory + "/backup" }
    /// The backup of one of several processes.
    func backup(of process: Int) -> String { directory + "/beside-\(process)" }

    /// Empties the directory for a new series.
    func begin(_ setup: SeriesSetup, syncsForReal: Bool, sabotage: Sabotage?) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            try FileManager.default.removeItem(atPath: directory + "/" + name)
        }
        oracle.reset()
        recorder.pointee.keepsImages = setup.kind == .powerLoss
        recorder.pointee.syncsForReal = syncsForReal
        recorder.pointee.forgetsSyncs = sabotage == .syncs
        oracle.believesEarly = sabotage == .acknowledgements
        oracle.refusesToWrite = sabotage == .writing
        recorder.pointee.writebackRate = [0, 40, 300][Int(setup.seed % 3)]
        recorder.pointee.randomState = setup.seed
        guard recorder_adopt(recorder, directory, images) else { throw ContentsError("the recorder cannot look at \(directory)") }
    }

    /// Begins recording in this process.
    func startRecording() throws {
        guard recorder_start(recorder, directory, images) else { throw ContentsError("the recorder cannot look at \(directory)") }
    }

    /// A directory for a copy that a tool looks at.
    func makeToolDirectory() throws -> String {
        let path = root + "/tool"
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Copies the store's directory, in place of an earlier copy.
    func copyStore(to path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.copyItem(atPath: directory, toPath: path)
    }

    /// Removes everything.
    func remove() throws { try FileManager.default.removeItem(atPath: root) }
}
