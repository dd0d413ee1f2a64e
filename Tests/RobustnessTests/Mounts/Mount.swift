import Foundation
import TestSupport

/// A file system of a probe's own, which the system removes with the process: only it sees the mount.
///
/// Mounting is the superuser's right on Linux; ordinary users have it in a user namespace where the system allows that.
enum Mount {
    /// The command that starts a probe with a memory disk of `size` bytes at `directory`.
    static func disk(of size: Int, at directory: String) -> [String] {
        launcher(#"mount -t tmpfs -o size="$1" none "$0" && exec "$2""#, [directory, "\(size)"])
    }

    /// The command that starts a probe for which `directory` cannot be written.
    static func readOnly(_ directory: String) -> [String] {
        launcher(#"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$1""#, [directory])
    }

    /// Whether the system lets this process make mounts.
    static let isPossible: Bool = {
        guard FileManager.default.isExecutableFile(atPath: unshare) else { return false }
        let command = launcher(#"mount -t tmpfs none "$0""#, [NSTemporaryDirectory()])
        do {
            return try Tool(at: URL(filePath: command[0])).run(Array(command.dropFirst())).status == 0
        } catch {
            return false
        }
    }()

    private static let unshare = "/usr/bin/unshare"

    private static func launcher(_ script: String, _ arguments: [String]) -> [String] {
        [unshare] + (geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"]) + ["/bin/sh", "-c", script] + arguments
    }
}
