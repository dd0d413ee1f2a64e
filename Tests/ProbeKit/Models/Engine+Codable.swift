import TestSupport

extension Engine: Codable {}
