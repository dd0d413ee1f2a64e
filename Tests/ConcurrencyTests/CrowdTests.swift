import Foundation
import ProbeKit
import TestSupport
import Testing

/// Ten thousand tasks at once, in a process of its own, so that its threads and open files can be counted.
@Suite(.serialized) struct CrowdTests {
    @Test(arguments: Engine.allCases) func tenThousandTasks(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let report = try CrowdReport(ProbeCommand.run(["crowd", engine.rawValue, directory.file(), "0", "10000"]))
        #expect(report.sum == report.writes, "\(report)")
        #expect(report.failures == 0, "\(report)")
        #if os(Linux)
        // Sixteen readers, a writer, Swift's own threads, of which there is one for each core, and those of the timers; how many run at once is
        // the system's choice. One for each hundred tasks would be more, and what is left behind by each hundred tasks is more afterwards.
        let cores = ProcessInfo.processInfo.activeProcessorCount
        #expect(report.during.threads < report.before.threads + 80 + cores, "\(report)")
        #expect(report.during.files < report.before.files + 80, "\(report)")
        #expect(report.afterwards.threads < report.before.threads + 80 + cores, "\(report)")
        #expect(report.afterwards.files < report.before.files + 80, "\(report)")
        // Dispatch keeps the files of its timers and events.
        #expect(report.closed.files <= report.before.files + 8, "\(report)")
        #endif
    }
}
