import Observation
import RegexBuilder
import SwiftDataNames
import Testing
import Trove

/// An observable class beside Trove: the macro's code names the module `Observation`, which a type of that name would hide.
@Observable final class Player {
    var song = "So What"
}

/// Trove's names live beside others': see `docs/names.md`.
@Suite struct NameTests {
    @Test func observableClassesCompileAndWork() {
        let player = Player()
        nonisolated(unsafe) var changes = 0
        withObservationTracking { _ = player.song } onChange: { changes += 1 }
        player.song = "Naima"
        #expect(changes == 1)
    }

    @Test func regularExpressionsCompileAndWork() throws {
        let word = RegexBuilder.Reference(Substring.self)
        let regex = Regex {
            Capture(as: word) { OneOrMore(.word) }
            " Davis"
        }
        #expect(try regex.firstMatch(in: "Miles Davis")?[word] == "Miles")
        #expect("1959".wholeMatch(of: /(\d\d)(\d\d)/)?.1 == "19")
    }

    @Test func sharedNamesAreToldApartByTheirModule() {
        let query = Trove.Query("Song")
        #expect(query.model == "Song")
        _ = SwiftDataNames.Query.self
        #expect(Trove.HistoryToken.start == .start)
        #expect(Trove.ModelDocument([:]).id == nil)
        _ = (SwiftDataNames.HistoryToken.self, SwiftDataNames.ModelDocument.self, SwiftDataNames.SectionedResults.self)
    }
}
