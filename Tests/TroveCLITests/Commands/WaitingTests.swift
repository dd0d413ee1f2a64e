import Foundation
import TestSupport
import Testing
import Trove

/// A store that another program has for itself is waited for.
@Suite struct WaitingTests {
    /// Each of many programs at once makes its change, on engines of one process too.
    @Test(arguments: Engine.persistent) func manyProgramsChangeAStore(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let answer = try fixture.run("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do trove insert music.store notes \"{\\\"n\\\":$i}\" --write --wait 300 > /dev/null & done; wait")
        #expect(answer == .init(status: 0, output: "", errors: ""))
        #expect(try fixture.run("trove group music.store notes 'n is not nil' --count --distinct n --sum n -o csv").output == "count,sum(n),distinct(n)\n20,210,20\n")
        #expect(try fixture.run("trove verify music.store").status == 0)
    }

    @Test func theWaitEnds() throws {
        let fixture = try CommandFixture(.tokyoCabinet)
        let backend = try Engine.tokyoCabinet.open(fixture.directory.file("music.store"))
        let start = ContinuousClock.now
        let answer = try fixture.run("trove count music.store Song --wait 0.3")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        #expect(answer.status == 3 && answer.output.isEmpty && answer.errors.contains("Close the program that has the store, or wait longer for it, as by --wait 30."), "\(answer)")
        try backend.close()
        #expect(try fixture.run("trove count music.store Song --wait 0").output == "4\n")
    }
}
