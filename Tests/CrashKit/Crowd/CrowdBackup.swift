import Foundation
import TestSupport
import Trove

/// The backup that a process of a crowd has made.
struct CrowdBackup {
    let setup: SeriesSetup
    let files: SeriesFiles
    let number: Int

    /// Opens and compares a finished backup, and removes what there is of one.
    func check() throws {
        let path = files.backup(of: number)
        defer { remove() }
        let demanded = files.oracle.backupCount(of: number) - 1
        guard demanded >= 0 else { return }
        do {
            let store = try setup.openStore(setup.openEngine(path))
            let count = try ContentsCheck(setup: setup, oracle: files.oracle).run(store)
            try store.close()
            if count < demanded { throw ContentsError("it holds \(count) transactions, \(demanded) had been acknowledged") }
        } catch {
            throw ContentsError("the finished backup of process \(number): \(error)")
        }
    }

    private func remove() {
        files.oracle.setBackupCount(0, of: number)
        let name = URL(fileURLWithPath: files.backup(of: number)).lastPathComponent
        do {
            for found in try FileManager.default.contentsOfDirectory(atPath: files.directory) where found.hasPrefix(name) {
                try FileManager.default.removeItem(atPath: files.directory + "/" + found)
            }
        } catch {}
    }
}
