import Foundation

extension RunPlan {
    /// Removes the stores of runs that were killed, beside this one's. Their directories have the numbers of processes that are no more.
    ///
    /// - Parameter report: Called with what is removed, and with what could not be.
    func removeLeftovers(_ report: (String) -> Void) {
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: parent) where Self.isLeftover(name) {
                report("removing \(parent)/\(name), which a run that was killed has left")
                try FileManager.default.removeItem(atPath: "\(parent)/\(name)")
            }
        } catch {
            report("cannot remove what earlier runs left in \(parent): \(error)")
        }
    }

    private static func isLeftover(_ name: String) -> Bool {
        guard name.hasPrefix(directoryPrefix), let process = Int32(name.dropFirst(directoryPrefix.count)), process > 0 else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
