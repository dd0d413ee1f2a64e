/// One sentence of the storage contract, and the cases that check it.
public struct SpecificationRequirement: Sendable {
    /// The number of the guarantee in ``StorageBackend``, or the part of the storage API.
    public let title: String
    /// The requirement.
    public let text: String
    /// The topics whose cases all check it.
    public let topics: [String]
    /// Further cases, by name.
    public let otherCases: [String]
    /// The part that no case can check from outside, with the reason; nil when there is none.
    public let exclusion: String?

    init(_ title: String, _ text: String, topics: [String] = [], cases: [String] = [], exclusion: String? = nil) {
        self.title = title
        self.text = text
        self.topics = topics
        otherCases = cases
        self.exclusion = exclusion
    }

    /// The cases that check it.
    public var cases: [SpecificationCase] {
        BackendSpecification.cases.filter { topics.contains($0.topic) || otherCases.contains($0.name) }
    }
}
