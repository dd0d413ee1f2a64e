import Foundation
import ProbeKit
import TestSupport
import Testing

/// Ten thousand tasks at once, in a process of its own, so that its threads and open files can be counted.
@Suite(.serialized) struct CrowdTests {
    @Test(arguments: Engine.allCases) func tenThousandTasks(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let report = try CrowdReport(ProbeProgram.run(["crowd", engine.rawValue, directory.file(), "0", "10000"]))
        #expect(report.sum == report.writes, "\(report)")
        #expect(report.failures == 0, "\(report)")
        #if os(Linux)
        // Sixteen readers, a writer, Swift's own threads, of which there is one for each core, and those of the timers: not one for each task, nor
        // one for each hundred.
        let cores = ProcessInfo.processInfo.activeProcessorCount
        #expect(report.during.threads <= report.before.threads + 78 + cores, "\(report)")
        #expect(report.during.files <= report.before.files + CrowdReport.mostFiles, "\(report)")
        #expect(report.afterwards.threads <= report.between.threads + CrowdReport.slack.threads, "\(report)")
        #expect(report.afterwards.files <= report.before.files + CrowdReport.mostFiles, "\(report)")
        #expect(report.closed.files <= report.before.files + CrowdReport.slack.files, "\(report)")
        #endif
    }
}
