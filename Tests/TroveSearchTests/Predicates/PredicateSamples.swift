import Foundation

/// Predicates of every kind that is translated; each is true of some objects and false of others.
enum PredicateSamples {
    typealias Sample = (name: String, predicate: Predicate<Recording>)

    static var all: [Sample] { comparisons + optionals + values + texts + collections + dictionaries }

    private static var names: [String] { ["Bill Evans", "Ella"] }

    private static var comparisons: [Sample] {
        let year = 1959
        return [
            ("equal", #Predicate { $0.artist == "Bill Evans" }),
            ("not equal", #Predicate { $0.artist != "Bill Evans" }),
            ("order", #Predicate { $0.year > year && $0.year <= 1990 || $0.plays >= 7 && $0.price < 2 }),
            ("negation", #Predicate { !($0.year > year) && !$0.isLive }),
            ("Bool", #Predicate { $0.isLive }),
            ("Bool compared", #Predicate { ($0.year > 1955) == $0.isLive }),
            ("Bool differs", #Predicate { ($0.year > 1955) != $0.isLive }),
            ("fields", #Predicate { $0.artist == $0.title || $0.year < $0.limit }),
            ("ternary", #Predicate { ($0.isLive ? $0.year : $0.limit) > 1955 }),
            ("ternary that folds", #Predicate { year > 5 ? $0.isLive : $0.title == "x" }),
        ]
    }

    private static var optionals: [Sample] {
        let none: Double? = nil
        let home: Recording.Place? = Recording.Place(city: "Oslo", zip: 1, country: "Norway", geo: nil)
        return [
            ("optional Bool", #Predicate { $0.isPublic == true }),
            ("optional Bool or", #Predicate { $0.isPublic ?? true }),
            ("nil", #Predicate { $0.rating == nil }),
            ("not nil", #Predicate { $0.rating != nil }),
            ("captured nil", #Predicate { $0.rating == none }),
            ("optional equal", #Predicate { $0.rating == 4 }),
            ("optional not equal", #Predicate { $0.rating != 4 }),
            ("coalesced", #Predicate { ($0.rating ?? 3) > 2.5 }),
            ("coalesced with a property", #Predicate { ($0.home?.city ?? $0.artist) == "Ella" }),
            ("if let", #Predicate { if let rating = $0.rating { rating > 3 } else { $0.isLive } }),
            ("unwrapped after a check", #Predicate { $0.rating != nil && $0.rating! >= 4 }),
            ("chain", #Predicate { $0.home?.city == "Paris" }),
            ("longer chain", #Predicate { $0.home?.geo?.latitude == 59.9 }),
            ("chain nil", #Predicate { $0.home?.zip == nil }),
            ("chain not equal", #Predicate { $0.home?.city != "Paris" }),
            ("chain text", #Predicate { $0.home?.city.contains("r") ?? true }),
            ("captured optional", #Predicate { $0.home?.city == home?.city }),
            ("optional Bool and a condition", #Predicate { $0.isPublic == $0.home?.city.contains("r") }),
            ("optional Bool and another condition", #Predicate { $0.isPublic != $0.home?.city.contains("r") }),
            ("optional Bool and a mapped one", #Predicate { $0.rating.flatMap { $0 > 3 } == $0.isPublic }),
        ]
    }

    private static var values: [Sample] {
        let year = 1959
        let (low, high) = (1950, 1990)
        let format = Recording.Format.tape
        let formats: Set<Recording.Format> = [.vinyl, .disc]
        let place = Recording.Place(city: "Oslo", zip: 1, country: "Norway", geo: nil)
        let names = names
        return [
            ("captured", #Predicate { $0.year >= low && $0.year < high }),
            ("captured value's property", #Predicate { $0.place.city == place.city }),
            ("arithmetic", #Predicate { $0.year < year + 2 * 10 - 1 }),
            ("division", #Predicate { $0.year > 4_000 / 2 - 10 && $0.minutes > 17 % 5 }),
            ("captured place in a list", #Predicate { $0.artist == names[1] }),
            ("greatest of a list", #Predicate { $0.artist == names.max()! }),
            ("least of a list", #Predicate { $0.artist == names.min()! }),
            ("part of a list", #Predicate { names[0..<1].contains($0.artist) }),
            ("negative", #Predicate { $0.year > -(0 - year) }),
            ("fraction", #Predicate { ($0.rating ?? 0) > 9.0 / 2.5 }),
            ("enum", #Predicate { $0.format == format }),
            ("optional enum", #Predicate { $0.other == format || $0.other == nil }),
            ("enum in a set", #Predicate { formats.contains($0.format) }),
            ("nested", #Predicate { $0.place.city == "Paris" && $0.place.zip == nil }),
            ("constants", #Predicate { $0.isLive && names.contains("Ella") && !names.isEmpty }),
            ("data is empty", #Predicate { $0.image.isEmpty }),
        ]
    }

    private static var texts: [Sample] {
        [
            ("contains", #Predicate { $0.title.contains("e") && $0.artist.contains("vans") }),
            ("begins", #Predicate { $0.title.starts(with: "Blue") }),
            ("no pattern", #Predicate { $0.title.contains("50%") }),
            ("text of a field", #Predicate { $0.title.contains($0.artist) }),
            ("empty texts", #Predicate { $0.title.isEmpty || $0.artist.isEmpty }),
            ("regular expression", #Predicate { $0.title.contains(#/^[AB].*e/#) }),
        ]
    }

    private static var collections: [Sample] {
        let names = names
        let fifties = 1950...1959
        return [
            ("array has", #Predicate { $0.tags.contains("live") }),
            ("set has", #Predicate { $0.scores.contains(5) }),
            ("list has", #Predicate { names.contains($0.artist) }),
            ("array is empty", #Predicate { $0.tags.isEmpty }),
            ("set is empty", #Predicate { $0.scores.isEmpty }),
            ("keys are empty", #Predicate { $0.labels.keys.isEmpty }),
            ("array has not", #Predicate { !$0.tags.contains("live") && !$0.tags.isEmpty }),
            ("array has what the object says", #Predicate { $0.tags.contains($0.title) }),
            ("range has", #Predicate { fifties.contains($0.year) }),
            ("written range has", #Predicate { (1950..<1960).contains($0.year) || (2000...2001).contains($0.year) }),
            ("range of fields", #Predicate { ($0.limit...2000).contains($0.year) }),
            ("any", #Predicate { $0.lines.contains { $0.price > 5 && $0.quantity > 0 } }),
            ("all", #Predicate { $0.lines.allSatisfy { $0.price > 5 } }),
            ("any of the object", #Predicate { song in song.lines.contains { $0.quantity == song.default } }),
            ("any in any", #Predicate { $0.lines.contains { $0.parts.contains("a") } }),
            ("filter", #Predicate { !$0.lines.filter { $0.price > 5 }.isEmpty }),
            ("filter all", #Predicate { $0.lines.filter { $0.price > 5 }.allSatisfy { $0.quantity > 0 } }),
            ("any of a list", #Predicate { song in names.contains { song.title == $0 || song.artist == $0 } }),
            ("all of a list", #Predicate { song in names.allSatisfy { song.artist != $0 } }),
            ("any of an optional array", #Predicate { $0.notes?.contains("x") ?? false }),
        ]
    }

    private static var dictionaries: [Sample] {
        [
            ("key", #Predicate { $0.labels["genre"] == "Jazz" }),
            ("no key", #Predicate { $0.labels["mood"] == nil }),
            ("key or", #Predicate { $0.labels["genre", default: "Jazz"] == "Jazz" }),
            ("keys", #Predicate { $0.labels.keys.contains("mood") }),
            ("values", #Predicate { $0.counts.values.allSatisfy { $0 > 1 } }),
            ("dictionary is empty", #Predicate { $0.labels.isEmpty }),
        ]
    }
}
