import Foundation
import Testing

@testable import Trove

/// What compiles and cannot be asked is kept in the condition and thrown when the filter is taken.
@Suite struct FieldMistakeTests {
    private func mistake(_ condition: (Fields<Recording>) -> Condition) -> TroveError? {
        do throws(TroveError) {
            _ = try condition(Fields()).filter()
            return nil
        } catch {
            return error
        }
    }

    @Test func computedPropertiesAreNotStored() {
        let error = mistake { $0.display == "x" }
        guard case .unsupportedKeyPath(let model, let keyPath) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(model == "Recording")
        #expect(keyPath == "\\Recording.<computed (String)>")
    }

    @Test func messagesSayWhatIsSearched() throws {
        let computed = try #require(mistake { $0.display == "x" })
        #expect("\(computed)".contains("is not a stored property of Recording: only stored properties can be searched"))
        let text = TroveError.unknownField(model: "Song", field: "So What", known: ["title", "year"])
        #expect("\(text)" == "Song has no field named 'So What'; it has title, year; in a query, name stored properties, no computed ones, and write texts in single quotes")
        let slip = TroveError.unknownField(model: "Song", field: "titel", known: ["title", "year"])
        #expect("\(slip)" == "Song has no field named 'titel'; did you mean 'title'? (it has title, year)")
        let stored = TroveError.fieldTypeChanged(model: "Song", field: "year", stored: .optional(.int64), declared: .int64)
        #expect("\(stored)".hasPrefix("Song.year is stored as Int? and declared as Int, which"))
    }

    @Test(arguments: ["artist.count", "country", "label", "price.isNaN", "date"])
    func nestedPropertiesNeedACodingKey(_ which: String) {
        let error =
            switch which {
            case "artist.count": mistake { $0.artist.count > 3 }
            case "country": mistake { $0.place.country == "Norway" }
            case "label": mistake { $0.home.label == "x" }
            case "price.isNaN": mistake { $0.price.isNaN == true }
            default: mistake { $0.recorded.timeIntervalSince1970 > 5 }
            }
        guard case .unsupportedKeyPath = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func mistakesSurviveLogicAndQuantifiers() {
        #expect(mistake { $0.year > 5 && ($0.display == "x" || $0.year < 3) } != nil)
        #expect(mistake { !($0.display == "x") } != nil)
        #expect(mistake { $0.lines.any { $0.price.isNaN.isTrue } } != nil)
        #expect(mistake { $0.display.isEmpty } != nil)
        #expect(mistake { $0.year > 5 } == nil)
    }

    @Test func membersOfTwoCollectionsAreNotCompared() {
        let error = mistake { $0.lines.any { line in line.parts.any { $0 == line.at("name", as: String.self) } } }
        guard case .invalidQuery(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("parts"))
    }

    @Test func valuesThatAreNotStoredAreNamed() {
        struct Odd: Sendable {}
        let error = mistake { $0.at("artist", as: Odd.self) == Odd() }
        guard case .invalidQuery(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("Odd"))
    }
}
