import EngineSupport
import Foundation
import Testing
import TroveBackendKit

@Suite struct FileStampTests {
    /// A time without a part of a second may be from a file system that tells whole seconds, or every other one.
    @Test func wholeSecondsSettleLater() throws {
        let second = Int64(Date().timeIntervalSince1970)
        func stamp(_ nanoseconds: Int64) -> FileStamp { FileStamp(device: 1, inode: 1, size: 1, seconds: second, nanoseconds: nanoseconds) }
        try blockUntil("a time to settle") { stamp(1).isSettled }
        let isSettled = stamp(0).isSettled
        // Unless the machine was busy meanwhile.
        if Date().timeIntervalSince1970 < Double(second + 2) { #expect(!isSettled) }
        try blockUntil("a whole second to settle") { stamp(0).isSettled }
        #expect(Date().timeIntervalSince1970 > Double(second + 2) - 0.01)
    }
}
