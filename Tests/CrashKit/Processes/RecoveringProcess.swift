import SyncRecorder
import Trove

/// A process that opens the store after a crash and is killed while it recovers, or right after.
struct RecoveringProcess {
    let setup: SeriesSetup
    let files: SeriesFiles
    let target: Int
    let mode: UInt32

    func run() throws {
        try files.startRecording()
        recorder_arm(files.recorder, UInt32(RecorderAllCalls), Int64(target), mode)
        let backend = try setup.openEngine(files.store)
        _ = try setup.openStore(backend)
        recorder_disarm(files.recorder)
        files.oracle.hasOutlivedWindow = true
        // The store is still open when the process ends.
        withExtendedLifetime(backend) { recorder_end_process() }
    }
}
